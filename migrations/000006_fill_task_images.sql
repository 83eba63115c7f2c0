-- Fills tasks.spec_image of the rows that were there before 000005: data only, as the projector writes it.
-- locks: rows of tasks    breaking: no
UPDATE tasks SET spec_image = named.image
FROM (
  SELECT tenant, id,
    CASE WHEN image ~ '@|:[^/]*$' THEN image ELSE image || ':latest' END AS image
  FROM (SELECT tenant, id, spec::jsonb ->> 'image' AS image FROM tasks) AS specs
  WHERE image IS NOT NULL
) AS named
WHERE tasks.tenant = named.tenant AND tasks.id = named.id;
