"""The rules of one move as clauses, each family under the article that it states. Trusted."""
