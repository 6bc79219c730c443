-- Of each application, what became of its last promotion where that failed: few, and asked for by everybody who looks.
create index promotion_failed on promotion (namespace, application) where result = 'Failure';
