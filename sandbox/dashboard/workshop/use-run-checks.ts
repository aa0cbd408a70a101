import { useApp } from '../parts/use-app.ts'

/** Puts a check or a topic to the receiver that is registered, or all checks. */
export function useRunChecks(): (name?: string) => void {
  const { perform, run, go } = useApp()
  return (name) =>
    void run(async () => {
      await perform('startChecks', { body: name === undefined ? {} : { checks: [name] } })
      if (name === undefined) go({ screen: 'workshop', path: ['checks'] })
    })
}
