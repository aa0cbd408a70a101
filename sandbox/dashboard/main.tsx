import { render } from 'preact'
import { callHttp } from './adapters/fetch-call.ts'
import { listenToKeys, page } from './adapters/page.ts'
import { provideApp } from './parts/use-app.ts'
import { Shell } from './shell/shell.tsx'
import { createDashboardApp } from './state/app.ts'
// oxlint-disable-next-line import/no-unassigned-import -- Vite converts the import into a stylesheet
import './style/index.css'

const app = createDashboardApp(page, callHttp)
listenToKeys(app.keys.press)
const root = document.querySelector('#app')
provideApp(app)
if (root) render(<Shell />, root)
app.open()
