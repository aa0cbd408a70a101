import { Query } from '@mswjs/data'

/** How rows of a collection are found by their id. */
export interface IdIndex<Row> {
  /** The field that holds the id. */
  readonly field: string
  /** The row of that id; undefined if there is none, or not yet. */
  readonly find: (id: string) => Row | undefined
}

/** What of a collection asks for rows. */
interface Searched<Row> {
  findFirst(predicate?: Predicate<Row>, options?: { readonly strict?: boolean }): Row | undefined
  findMany(predicate?: Predicate<Row>, options?: object): Row[]
}

type Predicate<Row> = Query<Row> | ((query: Query<Row>) => Query<Row>)

/**
 * Lets a collection answer from the index where a query wants an id, alone or among other conditions: its own search asks row
 * after row, 6 ms among 100,000. What the index does not have, and every other query, is searched for as before.
 */
export function searchById<Row>(collection: Searched<Row>, index: IdIndex<Row>): void {
  const findFirst = collection.findFirst.bind(collection)
  const findMany = collection.findMany.bind(collection)

  /** The rows that fit; undefined if the index cannot tell. */
  function lookUp(query: Query<Row>): Row[] | undefined {
    const id = idByQuery.get(query)
    const row = id === undefined ? undefined : index.find(id)
    return row === undefined ? undefined : [row].filter((each) => query.test(each))
  }

  Object.assign(collection, {
    findFirst(predicate?: Predicate<Row>, options: { readonly strict?: boolean } = {}) {
      if (predicate === undefined) return findFirst(predicate, options)
      const query = toQuery(predicate, index.field)
      const rows = lookUp(query)
      // That there is none is an error of the collection's own, if it is to be one.
      return rows === undefined || (rows.length === 0 && options.strict === true)
        ? findFirst(query, options)
        : rows[0]
    },
    findMany(predicate?: Predicate<Row>, options?: object) {
      if (predicate === undefined) return findMany(predicate, options)
      const query = toQuery(predicate, index.field)
      return (options === undefined ? lookUp(query) : undefined) ?? findMany(query, options)
    },
  })
}

/** The id that a row must have to fit a query, where that is known. */
const idByQuery = new WeakMap<object, string>()

function toQuery<Row>(predicate: Predicate<Row>, field: string): Query<Row> {
  return predicate instanceof Query ? predicate : predicate(noteId(new Query<Row>(), field, undefined))
}

/** The query, of which the id is noted, also when it is narrowed down. */
function noteId<Row>(query: Query<Row>, field: string, id: string | undefined): Query<Row> {
  if (id !== undefined) idByQuery.set(query, id)
  const where = query.where.bind(query)
  const and = query.and.bind(query)
  const or = query.or.bind(query)
  return Object.assign(query, {
    where: (condition: Parameters<typeof where>[0]) =>
      noteId(where(condition), field, id ?? wantedId(condition, field)),
    and: (...conditions: Parameters<typeof and>) =>
      noteId(
        and(...conditions),
        field,
        id ?? conditions.map((each) => wantedId(each, field)).find((each) => each !== undefined),
      ),
    or: (...conditions: Parameters<typeof or>) => noteId(or(...conditions), field, undefined),
  })
}

function wantedId(condition: unknown, field: string): string | undefined {
  if (typeof condition !== 'object' || condition === null) return undefined
  if (condition instanceof Query) return idByQuery.get(condition)
  const id: unknown = Reflect.get(condition, field)
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
