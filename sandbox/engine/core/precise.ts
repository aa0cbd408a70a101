/** A generated type with more exact types for some fields. */
export type Precise<Base, Narrowed> = Omit<Base, keyof Narrowed> & Narrowed
