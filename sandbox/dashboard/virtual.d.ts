/** Made when the page is built, of the definitions of the commands. */
declare module 'virtual:commands' {
  /** The list of them, as JSON. */
  export const COMMANDS_FILE: string
}

declare module '*.css'
