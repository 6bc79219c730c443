-- What Argo CD has compared with what: repoURL, path, targetRevision, and name and namespace of the destination, as far as they
-- are not empty. What it says of a deployment that is to be somewhere else by now proves nothing. Null: it has not said.
alter table application_state add column compared jsonb;
