"""The pages; and in `site`, what makes the site of them."""
