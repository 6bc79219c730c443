-- The commits that we pushed, in lines: within a line each one is the parent of the next, so a later one has all before it
-- inside, whenever the row was written. Where somebody else has moved the branch in between a new line begins. How two commits
-- of different lines stand to one another only Git knows.
create table pushed_commit (
  repository_id text not null,
  commit_id text not null,
  -- The commit that the line began with.
  line text not null,
  position bigint not null,
  primary key (repository_id, commit_id)
);
-- Two commits may have one parent: somebody took the first back. The line goes on with one of them.
create unique index pushed_commit_line on pushed_commit (repository_id, line, position);
