"""Reports of a run: terminal, JUnit XML, HTML, Markdown."""
