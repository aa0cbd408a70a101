export const DEFAULT_WORLD = 'default'

const WORLD_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** Returns true for a valid world name: 1 to 40 lower-case letters, digits and inner hyphens. */
export const isWorldName = (text: string): boolean => WORLD_NAME.test(text)

export const WORLD_NAME_TAKES =
  'a name of 1 to 40 lower-case letters, digits and hyphens, without a hyphen at either end, such as "anna" or "pull-417"'
