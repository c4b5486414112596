//! XML with exact places. (stub)
