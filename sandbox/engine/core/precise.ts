/** A generated type, with fields for which TypeScript can say more than a schema. */
export type Precise<Base, Narrowed> = Omit<Base, keyof Narrowed> & Narrowed
