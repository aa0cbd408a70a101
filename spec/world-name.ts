/** The world that is there without any of it being named. */
export const DEFAULT_WORLD = 'default'

const WORLD_NAME = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** Whether a world can have this name: 1 to 40 small letters, digits and hyphens, with no hyphen at either end. */
export const isWorldName = (text: string): boolean => WORLD_NAME.test(text)

/** What a name is written with, for messages. */
export const WORLD_NAME_TAKES =
  'a name of 1 to 40 small letters, digits and hyphens, with no hyphen at either end, such as "anna" or "pull-417"'
