import type { App } from '../state/app.ts'
import { formatRoute, HOME } from '../state/route.ts'
import { findScreen } from '../screens.ts'
import { Help } from './help.tsx'
import { NoticeList } from './notice-list.tsx'
import { TokenForm } from './token-form.tsx'
import { TopBar } from './top-bar.tsx'
import { AppContext, useApp, useKeys } from '../parts/use-app.ts'

/** The whole page: the bar, the screen that the address names, and what lies over it. */
export function Shell({ app }: { readonly app: App }) {
  return (
    <AppContext.Provider value={app}>
      {app.stream.value.kind === 'refused' ? <TokenForm /> : <Page />}
    </AppContext.Provider>
  )
}

function Page() {
  const { overlay, show, route } = useApp()
  useKeys([
    {
      key: '?',
      about: 'show or hide this list',
      run: () => show(overlay.value === 'help' ? undefined : 'help'),
    },
  ])
  const { screen, path } = route.value
  const Screen = findScreen(screen)?.component ?? NoScreen
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <TopBar />
      <main id="main" tabIndex={-1}>
        <Screen path={path} />
      </main>
      <NoticeList />
      {overlay.value === 'help' && <Help />}
    </>
  )
}

function NoScreen() {
  return (
    <section class="empty">
      <h1>There is no such page</h1>
      <p>
        The address names nothing that this page shows. <a href={formatRoute(HOME)}>Go to the timeline</a>
      </p>
    </section>
  )
}
