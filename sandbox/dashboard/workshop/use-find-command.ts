import { useMemo } from 'preact/hooks'
import { useApp, useListing } from '../parts/use-app.ts'
import { createFindCommand, type FindCommand } from './commands.ts'

/** Finds CLI commands. Undefined before they are loaded. */
export function useFindCommand(): FindCommand | undefined {
  const app = useApp()
  const rows = useListing(app.ports.commands, [])
  return useMemo(() => rows && createFindCommand(rows, app), [rows, app])
}
