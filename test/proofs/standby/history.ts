import type { PostgresServer } from '../../support/postgres.ts'

/** Creates a trigger that records each committed changeset in PostgreSQL. */
export async function noteChangesets(server: PostgresServer): Promise<void> {
  await server.query(`
    CREATE TABLE history (number int8 GENERATED ALWAYS AS IDENTITY PRIMARY KEY, holder text, epoch int8, position_before int8,
      position int8);
    CREATE FUNCTION note_changeset() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO public.history (holder, epoch, position_before, position)
          VALUES (new.holder, new.epoch, old.position, new.position);
        RETURN NULL;
      END $$;
    CREATE TRIGGER note_changeset AFTER UPDATE ON hookbench.lease FOR EACH ROW
      WHEN (new.position <> old.position) EXECUTE FUNCTION note_changeset()`)
}

/** Returns evidence that two processes wrote at the same time. */
export async function judgeHistory(server: PostgresServer): Promise<readonly string[]> {
  const broken = await server.query(`
    SELECT number::int, epoch::int, position_before::int FROM (
      SELECT *, lag(position) OVER w AS expected, lag(epoch) OVER w AS epoch_before FROM history WINDOW w AS (ORDER BY number)
    ) AS each WHERE position_before <> expected OR epoch < epoch_before OR position <> position_before + 1`)
  const shared = await server.query(`
    SELECT epoch::int, count(DISTINCT holder)::int AS holders FROM history GROUP BY epoch HAVING count(DISTINCT holder) > 1`)
  const holed = await server.query(`
    SELECT position::int, copy_position::int, count(bytes)::int AS changesets FROM hookbench.lease
    LEFT JOIN (SELECT position AS at, bytes FROM hookbench.changesets) AS each ON at > copy_position AND at <= position
    GROUP BY position, copy_position HAVING count(bytes) <> position - copy_position`)
  return [
    ...broken.map((row) => `a changeset does not follow the one before it: ${JSON.stringify(row)}`),
    ...shared.map((row) => `two processes have written in one epoch: ${JSON.stringify(row)}`),
    ...holed.map((row) => `changesets are missing: ${JSON.stringify(row)}`),
  ]
}
