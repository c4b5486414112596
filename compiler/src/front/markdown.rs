//! The fence of a Markdown file that holds the directive. (stub)
