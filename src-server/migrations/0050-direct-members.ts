/** Who is in which conversation, so that a person's conversations are found by index. */
export const directMembers = `
  CREATE TABLE direct_group_members (
    user_id INTEGER NOT NULL, group_id INTEGER NOT NULL, PRIMARY KEY (user_id, group_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO direct_group_members SELECT e.value, g.group_id FROM direct_groups g, json_each(g.user_ids) e;
  CREATE TRIGGER direct_group_members_added AFTER INSERT ON direct_groups BEGIN
    INSERT INTO direct_group_members SELECT e.value, new.group_id FROM json_each(new.user_ids) e;
  END;
`
