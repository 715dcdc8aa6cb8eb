/** Groups of default channels that new people can choose. */
export const defaultChannelGroups = `
  CREATE TABLE default_channel_groups (
    group_id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL
  ) STRICT;
  CREATE TABLE default_channel_group_channels (
    group_id INTEGER NOT NULL REFERENCES default_channel_groups ON DELETE CASCADE,
    channel_id INTEGER NOT NULL REFERENCES channels ON DELETE CASCADE,
    PRIMARY KEY (group_id, channel_id)
  ) STRICT, WITHOUT ROWID;
`
