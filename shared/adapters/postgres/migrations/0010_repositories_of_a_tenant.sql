-- A credential that comes or changes wakes whoever waits for it: the repositories of its namespace are looked at.
create index gitops_repository_namespace on gitops_repository (namespace);
