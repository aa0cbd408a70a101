import type { PostgresServer } from '../../support/postgres.ts'

/**
 * Notes each append as PostgreSQL commits it, whoever makes it: who has written what shows in nothing else. To be called once there are
 * tables.
 */
export async function noteAppends(server: PostgresServer): Promise<void> {
  await server.query(`
    CREATE TABLE history (number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, world text, node text, holder text, epoch int8,
      generation int8, length_before int8, length int8);
    CREATE FUNCTION note_append() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO public.history (world, node, holder, epoch, generation, length_before, length)
          VALUES (new.name, new.node, new.holder, new.epoch, new.generation, old.length, new.length);
        RETURN NULL;
      END $$;
    CREATE TRIGGER note_append AFTER UPDATE ON hookbench.worlds FOR EACH ROW
      WHEN (new.length <> old.length) EXECUTE FUNCTION note_append()`)
}

/** What of the history of appends, and of the entries that are there, cannot be where each world has one writer at a time. */
export async function judgeHistory(server: PostgresServer): Promise<readonly string[]> {
  const broken = await server.query(`
    SELECT world, number::int, epoch::int, length_before::int FROM (
      SELECT *, lag(length, 1, 0::int8) OVER w AS expected, lag(epoch, 1, 0::int8) OVER w AS epoch_before
      FROM history WINDOW w AS (PARTITION BY world ORDER BY length_before, number)
    ) AS each WHERE length_before <> expected OR epoch < epoch_before`)
  const shared = await server.query(`
    SELECT world, epoch::int, count(DISTINCT holder)::int AS holders FROM history
    GROUP BY world, epoch HAVING count(DISTINCT holder) > 1`)
  const holed = await server.query(`
    SELECT w.name AS world, w.length::int, count(e.position)::int AS entries, coalesce(max(e.position), 0)::int AS last
    FROM hookbench.worlds w LEFT JOIN hookbench.entries e ON e.world = w.number AND e.generation = w.generation
    GROUP BY w.name, w.length HAVING count(e.position) <> w.length OR coalesce(max(e.position), 0) <> w.length`)
  return [
    ...broken.map((row) => `an append does not follow the one before it: ${JSON.stringify(row)}`),
    ...shared.map((row) => `two have written in one epoch: ${JSON.stringify(row)}`),
    ...holed.map((row) => `the entries are not those that the world counts: ${JSON.stringify(row)}`),
  ]
}
