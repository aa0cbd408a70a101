import { useState } from 'preact/hooks'
import { useApp } from '../parts/use-app.ts'
import { Hook } from './top-bar.tsx'

/** Asks for a missing or rejected token. */
export function TokenForm() {
  const { useToken, stream } = useApp()
  const state = stream.value
  const [token, setToken] = useState('')
  return (
    <main class="token-form">
      <h1 class="wordmark">
        <Hook />
        <span>hookbench</span>
      </h1>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (token.trim() !== '') useToken(token.trim())
        }}
      >
        <label for="token">Token of the sandbox</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token}
          aria-describedby="token-help"
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <button type="submit">Open</button>
        {state.kind === 'refused' && state.given && (
          <p role="alert" class="bad">
            The sandbox refused this token. It may have been rotated, or it may belong to another world.
          </p>
        )}
        <p id="token-help" class="dim">
          <code>npx hookbench up</code> prints it when it starts, with an address that has it already. It is
          also in the file <code>token</code> of the data folder (<code>.hookbench</code>).
        </p>
      </form>
    </main>
  )
}

export function NoWorld() {
  return (
    <main>
      <section class="empty">
        <h1>There is no world "{useApp().ports.world}"</h1>
        <p>
          It was removed, or its time is over. <a href="/">Go to the default world</a>
        </p>
      </section>
    </main>
  )
}
