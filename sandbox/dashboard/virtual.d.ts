/** Made by the build from the CLI's commands. */
declare module 'virtual:commands' {
  /** The URL of a JSON list. */
  export const COMMANDS_FILE: string
}

declare module '*.css'
