import type { DefaultTheme } from 'vitepress'

type Page = readonly [title: string, path: string]

/** All pages of the site, in reading order. */
export const SECTIONS: readonly (readonly [title: string, pages: readonly Page[]])[] = [
  [
    'Start',
    [
      ['Tutorial', 'tutorial'],
      ['Install', 'install'],
      ['Why', 'why'],
      ['Concepts', 'concepts'],
      ['How a good receiver works', 'how-a-good-receiver-works'],
    ],
  ],
  [
    'Guides',
    [
      ['Use the sandbox by hand', 'guides/sandbox'],
      ['Use the dashboard', 'guides/dashboard'],
      ['Play payments', 'guides/payments'],
      ['Control the clock', 'guides/time'],
      ['Reproduce failures of the service', 'guides/faults-cookbook'],
      ['Send any notification', 'guides/deliver'],
      ['Call the service API', 'guides/service-api'],
      ['Make every check pass', 'guides/green'],
      ['Let a coding agent make every check pass', 'guides/coding-agents'],
      ["Show your receiver's effects", 'guides/effects'],
      ['Choose the object that you act on', 'guides/consequences'],
      ['Check signatures and senders', 'guides/signatures'],
      ['Check restarts and outages', 'guides/restarts'],
      ['Read a report', 'guides/reading-a-report'],
      ['Run the checks in CI', 'guides/ci'],
      ['Share one sandbox between CI jobs', 'guides/shared-sandbox'],
      ['Reorder and duplicate notifications', 'guides/rehearse'],
      ['Explore random worlds', 'guides/explore'],
      ['Load-test a receiver', 'guides/load'],
      ['Test in process', 'guides/testing-in-process'],
      ['Migrate from callbacks to webhooks', 'guides/migrating'],
      ['Generate types and validators', 'guides/generate'],
      ['Run the sandbox in containers', 'guides/containers'],
      ['Expose the sandbox on a network', 'guides/listening'],
      ['Share one sandbox in a team', 'guides/worlds'],
      ['Survive the loss of a machine', 'guides/standby'],
      ['Shell completion and JSON output', 'shell'],
    ],
  ],
  [
    'Your framework',
    [
      ['How these receivers work', 'receivers/how-they-work'],
      ['Express', 'receivers/express'],
      ['Fastify', 'receivers/fastify'],
      ['Hono', 'receivers/hono'],
      ['Next.js', 'receivers/next'],
      ['Flask', 'receivers/flask'],
      ['Python', 'receivers/python'],
      ['Rack', 'receivers/rack'],
      ['PHP', 'receivers/php'],
      ['Run the checks in a test framework', 'frameworks'],
    ],
  ],
  [
    'Reference',
    [
      ['Service', 'reference/service'],
      ['Control API', 'reference/control-api'],
      ['Commands', 'reference/commands'],
      ['Exit codes', 'reference/exit-codes'],
      ['Checks', 'reference/checks'],
      ['Readings', 'reference/readings'],
      ['Configuration', 'reference/configuration'],
      ['Types', 'reference/types'],
      ['Package', 'reference/package'],
      ['The store and its damage', 'reference/store'],
    ],
  ],
]

export const SIDEBAR: DefaultTheme.SidebarItem[] = SECTIONS.map(([text, pages]) => ({
  text,
  items: pages.map(([title, path]) => ({ text: title, link: `/${path}` })),
}))

/** The links in the header of each page. */
export const NAVIGATION: DefaultTheme.NavItem[] = [
  { text: 'Tutorial', link: '/tutorial' },
  { text: 'Checks', link: '/reference/checks' },
  { text: 'Control API', link: '/reference/control-api' },
]
