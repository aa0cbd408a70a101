/** Made by the build from the CLI's commands. */
declare module 'virtual:commands' {
  import type { PageCommand } from './state/page-ports.ts'
  export const commands: readonly PageCommand[]
}

declare module '*.css'
