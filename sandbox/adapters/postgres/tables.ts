/** The names of our tables, as statements have them. */
export interface Tables {
  readonly worlds: string
  readonly entries: string
  readonly checkpoints: string
  readonly nodes: string
  readonly records: string
  readonly shared: string
}

export function createTables(schema: string): Tables {
  const within = (name: string) => `"${schema}".${name}`
  return {
    worlds: within('worlds'),
    entries: within('entries'),
    checkpoints: within('checkpoints'),
    nodes: within('nodes'),
    records: within('records'),
    shared: within('shared'),
  }
}
