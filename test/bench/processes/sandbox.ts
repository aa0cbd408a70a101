import { createItem, openSandbox, registerUrl, type BenchSandbox, type Opening } from '../sandbox.ts'
import { answerAsks } from './answer-asks.ts'

export type SandboxAsk =
  | { readonly do: 'open'; readonly opening: Opening }
  | { readonly do: 'item' }
  | { readonly do: 'register'; readonly url: string; readonly object_type: 'items' | 'users' }
  | { readonly do: 'close' }

let sandbox: BenchSandbox | undefined

answerAsks(async (ask: SandboxAsk) => {
  if (ask.do === 'open') {
    sandbox = await openSandbox(ask.opening)
    return { serviceUrl: sandbox.serviceUrl, benchUrl: sandbox.benchUrl }
  }
  if (!sandbox) throw new Error('Cannot measure: no sandbox is open')
  if (ask.do === 'item') return createItem(sandbox)
  if (ask.do === 'register') return { id: await registerUrl(sandbox, ask) }
  return sandbox.close()
})
