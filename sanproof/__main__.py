"""``python -m sanproof`` is the command ``sanproof``."""

from sanproof.verify.commands.start import main

if __name__ == "__main__":
    main()
