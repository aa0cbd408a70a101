import type { DefaultTheme } from 'vitepress'

type Page = readonly [title: string, path: string]

/** All pages of the site, in the order in which they are read. */
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
      ['The sandbox by hand', 'guides/sandbox'],
      ['Getting a receiver green', 'guides/green'],
      ['In another order', 'guides/rehearse'],
      ['Explore random worlds', 'guides/explore'],
      ['Under load', 'guides/load'],
      ['Reading a report', 'guides/reading-a-report'],
      ['CI', 'guides/ci'],
      ['Testing in process', 'guides/testing-in-process'],
      ['Faults cookbook', 'guides/faults-cookbook'],
      ['Time', 'guides/time'],
      ['From callbacks to webhooks', 'guides/migrating'],
      ['Types and validators', 'guides/generate'],
      ['Containers', 'guides/containers'],
      ['Listening beyond this machine', 'guides/listening'],
      ['One sandbox for a team', 'guides/worlds'],
      ['Your shell', 'shell'],
    ],
  ],
  [
    'Your framework',
    [
      ['Express', 'receivers/express'],
      ['Fastify', 'receivers/fastify'],
      ['Hono', 'receivers/hono'],
      ['Next.js', 'receivers/next'],
      ['Flask', 'receivers/flask'],
      ['Python', 'receivers/python'],
      ['Rack', 'receivers/rack'],
      ['PHP', 'receivers/php'],
      ['Test frameworks', 'frameworks'],
    ],
  ],
  [
    'Reference',
    [
      ['Service', 'reference/service'],
      ['Control API', 'reference/control-api'],
      ['Commands', 'reference/commands'],
      ['Checks', 'reference/checks'],
      ['Readings', 'reference/readings'],
      ['Configuration', 'reference/configuration'],
      ['Types', 'reference/types'],
      ['Package', 'reference/package'],
    ],
  ],
]

export const SIDEBAR: DefaultTheme.SidebarItem[] = SECTIONS.map(([text, pages]) => ({
  text,
  items: pages.map(([title, path]) => ({ text: title, link: `/${path}` })),
}))

/** The doors in the page's head. */
export const NAVIGATION: DefaultTheme.NavItem[] = [
  { text: 'Tutorial', link: '/tutorial' },
  { text: 'Checks', link: '/reference/checks' },
  { text: 'Control API', link: '/reference/control-api' },
]
