import { useApp } from '../parts/use-app.ts'

/** Runs a check, a topic or all checks against the registered receiver. */
export function useRunChecks(): (name?: string) => void {
  const { perform, run, go } = useApp()
  return (name) =>
    void run(async () => {
      await perform('startChecks', { body: name === undefined ? {} : { checks: [name] } })
      if (name === undefined) go({ screen: 'workshop', path: ['checks'] })
    })
}
