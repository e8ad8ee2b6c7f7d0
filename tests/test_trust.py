from tests.trust import JOBS, ROOT, table, trusted_modules


def test_trust_page_names_every_module_that_the_audit_imports() -> None:
    assert trusted_modules() == set(JOBS)


def test_trust_page_has_the_table_as_it_is_now() -> None:
    page = (ROOT / "TRUST.md").read_text(encoding="utf-8")
    assert table() in page, "run `nox -s trust` and put its table into TRUST.md"


def test_no_trusted_module_imports_a_solver_by_text() -> None:
    for module in JOBS:
        text = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        assert not any(f"import {name}" in text for name in ("z3", "pysat")), module
