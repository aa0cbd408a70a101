/** Why no node can be started in this version; undefined once one can. */
export const UNAVAILABLE: string | undefined = 'the store in PostgreSQL is not available in this version'
