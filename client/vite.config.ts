import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstScreen } from './first-screen.ts'

const COMPRESSIBLE = /\.(?:js|css|html|svg)$/

/** Writes the compressed `.br` and `.gz` files that the gateway serves. */
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

// Chunks of the client: libraries, code that every page needs at once, code and icons of the lists (a request costs more than
// three icons), and code that many screens share. The bundler splits all other code by route.
const GROUPS = [
  {
    name: 'vendor',
    test: /node_modules[\\/](?:react|react-dom|react-router|react-router-dom|scheduler|swr)[\\/]/
  },
  { name: 'initial', tags: ['$initial' as const] },
  {
    name: 'list',
    test: /list[\\/]list\.tsx|use-list-query\.ts|organization-lists\.tsx|shared[\\/](?:attention|worklists)\.ts|lucide-react/,
    minShareCount: 2
  },
  { name: 'shared', minShareCount: 9 }
]

const gateway = process.env.GATEWAY_URL ?? 'http://localhost:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), firstScreen(), precompress()],
  css: {
    transformer: 'lightningcss',
    lightningcss: { drafts: { customMedia: true }, targets: {} }
  },
  build: {
    outDir: '../dist/client',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    // server/http/page.ts finds the files of a screen in the manifest.
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: GROUPS } } }
  },
  server: { proxy: { '/api': gateway, '/auth': gateway, '/callback': gateway } }
})
