import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { leaveOutUnreached } from './unreached-code.ts'

const COMPRESSIBLE = /\.(?:js|css|html|svg)$/

/** Writes the `.br` and `.gz` twins that the gateway serves. */
function precompress(): Plugin {
  let directory = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      directory = build.write ? resolve(root, build.outDir) : ''
    },
    closeBundle() {
      if (directory === '') return
      for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue
        const file = join(entry.parentPath, entry.name)
        const content = readFileSync(file)
        const params = {
          [constants.BROTLI_PARAM_QUALITY]: 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length
        }
        writeFileSync(`${file}.br`, brotliCompressSync(content, { params }))
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }))
      }
    }
  }
}

// Parts of Pico that the portal replaces or has no use for; a third of its weight.
const UNUSED_PICO =
  /aria-busy|data-tooltip|role=(?:group|search|switch)|type=(?:range|file|color)|\b(?:aside|nav|dialog|article|details|summary|progress|figure|figcaption|audio|video|blockquote|hgroup|mark|kbd|ins|del)\b|:host/

interface PostcssRule {
  selectors: string[]
  source?: { input: { file?: string } }
  remove(): void
}

const keepNeededPico = {
  postcssPlugin: 'keep-needed-pico',
  Rule(rule: PostcssRule) {
    if (!rule.source?.input.file?.includes('picocss')) return
    const needed = rule.selectors.filter((selector) => !UNUSED_PICO.test(selector))
    if (needed.length === 0) rule.remove()
    else if (needed.length < rule.selectors.length) rule.selectors = needed
  }
}

// One file that changes with the libraries only, and compresses better than several.
const VENDOR = {
  name: 'vendor',
  test: /node_modules[\\/](?:react|react-dom|react-router|react-router-dom|scheduler|swr)[\\/]/
}

// Many small files weigh more than one, and these are fetched together anyway. A group brings what its modules import, so
// the more widely used come first.
const GROUPS = [
  VENDOR,
  { name: 'initial', tags: ['$initial' as const] },
  {
    name: 'small-parts',
    test: /client[/]api[/]use-refresh\.ts$|icons[/](?:arrow-left|check|chevron-down|list-filter|pencil|plus|search-x|trash|x)\.mjs$/
  },
  { name: 'lists', test: /client[/]components[/](?:column-table|data-table|pager|row-actions)\.tsx$/ },
  {
    name: 'device-parts',
    test: /client[/](?:components[/](?:copy-button|expiry-badge|service-links)\.tsx|api[/](?:devices|projects)\.ts|lib[/](?:device-view|project-search)\.ts)$/
  },
  { name: 'times', test: /client[/]components[/]moment\.tsx$/ },
  {
    name: 'people-parts',
    test: /client[/](?:components[/](?:role-badges|tabs)\.tsx|api[/](?:all-customers|roles)\.ts|lib[/]access-text\.ts|session[/]use-list-query\.ts)$/
  },
  { name: 'filter-parts', test: /client[/]components[/](?:card-list|field|filter-chips|filter-menu)\.tsx$/ },
  {
    name: 'record-parts',
    test: /client[/](?:components[/](?:columns-menu|filter-sheet|list-card)\.tsx|deeds[/]list-export\.tsx|lib[/]bytes\.ts)$/
  },
  {
    name: 'alarm-parts',
    test: /client[/](?:api[/]alarms\.ts|lib[/]alarms\.ts|components[/]alarm-state\.tsx|style[/]alarm(?:s|-state)\.css)$/
  },
  {
    name: 'point-parts',
    test: /client[/](?:components[/]point-(?:search|tray-bar)\.tsx|lib[/](?:points|point-tray|use-loads)\.ts|style[/]points\.css)$/
  },
  // What tabs know of each other, and what is fetched only while an export is under way.
  { name: 'tabs', test: /client[/](?:session[/]tab-channel|lib[/]export-watch)\.ts$/ },
  { name: 'exports', test: /client[/](?:session[/]export-news\.tsx|api[/]exports\.ts|lib[/]alone\.ts)$/ },
  { name: 'dialogs', test: /client[/]components[/](?:confirm|form)-dialog\.tsx$/ },
  { name: 'people', test: /client[/]style[/]users\.css$/ },
  { name: 'users', test: /client[/]screens[/]users[/]users-page\.tsx$/ },
  {
    name: 'projects',
    test: /client[/](?:deeds[/]device-actions|screens[/]projects[/](?:projects-page|device-filters|device-notices|later-parts|use-device-services|project-chip))\.tsx?$/
  }
]

const reactRouter = join(import.meta.dirname, '../node_modules/react-router/dist/production')
const gateway = process.env.GATEWAY_URL ?? 'http://localhost:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), leaveOutUnreached(), precompress()],
  resolve: {
    alias: [
      // The package's own exports always lead to its development build.
      { find: /^react-router$/, replacement: `${reactRouter}/index.mjs` },
      { find: /^react-router\/dom$/, replacement: `${reactRouter}/dom-export.mjs` },
      // React has what the shim brings to older ones.
      { find: /^use-sync-external-store\/shim.*$/, replacement: 'react' },
      {
        find: '../createLucideIcon.mjs',
        replacement: join(import.meta.dirname, 'components/create-icon.tsx')
      }
    ]
  },
  css: { postcss: { plugins: [keepNeededPico] } },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } }
  },
  server: { proxy: { '/api': gateway, '/auth': gateway, '/callback': gateway } }
})
