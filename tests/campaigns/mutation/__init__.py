"""Small wrong changes to rules, encoder and checkers, and what must notice them."""
