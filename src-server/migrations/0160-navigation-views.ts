/** The views in people's navigation. */
export const navigationViews = `
  CREATE TABLE navigation_views (
    view_id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL REFERENCES users, fragment TEXT NOT NULL,
    is_pinned INTEGER NOT NULL,
    name TEXT,                             -- null: a built-in view
    UNIQUE (user_id, fragment)
  ) STRICT;
`
