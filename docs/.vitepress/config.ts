import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { slugify, extendFences } from './markdown.ts'
import { llmsFiles } from './llms.ts'
import { NAVIGATION, SIDEBAR } from './navigation.ts'

const REPOSITORY = 'https://github.com/hookbench/hookbench'

export default defineConfig({
  title: 'Hookbench',
  description: 'A local payments sandbox and contract tests for your webhook receiver.',
  lang: 'en',
  // For a host with another base path, run `HOOKBENCH_DOCS_BASE=/ npm run docs`.
  base: process.env['HOOKBENCH_DOCS_BASE'] ?? '/hookbench/',
  cleanUrls: true,
  // These pages are for developers of Hookbench, who read them in the repository.
  srcExclude: ['internals/**'],
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config: extendFences,
  },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  buildEnd: ({ outDir }) => {
    for (const [name, text] of Object.entries(llmsFiles())) writeFileSync(join(outDir, name), text)
  },
  themeConfig: {
    nav: NAVIGATION,
    sidebar: SIDEBAR,
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: REPOSITORY }],
    editLink: { pattern: `${REPOSITORY}/edit/main/docs/:path`, text: 'Change this page' },
    footer: { message: 'MIT licensed.' },
  },
})
