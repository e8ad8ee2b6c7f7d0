"""The claims of a run that an audit checks: strings, differences, manifest. Untrusted."""
