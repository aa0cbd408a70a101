/** The type `Base`, with more exact types for the fields in `Narrowed`. Used for generated types. */
export type Precise<Base, Narrowed> = Omit<Base, keyof Narrowed> & Narrowed
