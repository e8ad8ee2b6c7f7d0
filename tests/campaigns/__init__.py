"""Long checks that are no test of one room: `nox -s harden` lists them."""
