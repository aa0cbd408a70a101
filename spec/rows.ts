/** How a store knows the objects of one type. */
export interface ModelRow {
  readonly schema: string
  /** The fields that identify an object, the one that a store keeps it by first; a kind may lack the first. */
  readonly ids: readonly string[]
  /** The field with its state; null if its body shows none. */
  readonly state: string | null
}

/** What is known of one notified type. */
export interface NotificationRow {
  /** The schema of the whole body, and of the object in it or behind it. */
  readonly schema: string
  readonly object: string
  /** Whether the object stands under its type; a flat body only names it. Source: §2.3, §6.3 */
  readonly wrapped: boolean
  /** What a flat body says of itself; nothing if it is wrapped. Source: §6.3 */
  readonly constants: Readonly<Record<string, string>>
  /** The operation that shows the object. */
  readonly show: string
  readonly summary: string
  readonly trigger: string
  readonly source: string
  /** The kinds of a union, each told by constants and by fields that are null in it; none if the object is of one kind. */
  readonly kinds: readonly KindRow[]
}

/** One kind of a union. */
export interface KindRow {
  readonly schema: string
  readonly constants: Readonly<Record<string, string>>
  readonly nulls: readonly string[]
  readonly states: readonly string[]
}
