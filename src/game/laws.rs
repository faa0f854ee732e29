//! The laws that every game keeps, as checks: a new game's test calls them with a start position.
