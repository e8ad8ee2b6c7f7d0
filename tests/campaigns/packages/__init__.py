"""The game files in other people's packages, and what several readers say of them."""
