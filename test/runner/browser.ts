// Starts Chromium for the browser tests: one browser for a whole run, or one browser for a single file.
import { type Browser, type BrowserServer, chromium } from 'playwright-core'
import { chromiumPath } from '../support/machine.ts'

const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync'
]
const options = () => ({ executablePath: chromiumPath(), args: ARGUMENTS })

export const BROWSER_AT = 'TEST_BROWSER'

export const serveBrowser = (): Promise<BrowserServer> => chromium.launchServer(options())

export function openBrowser(): Promise<Browser> {
  const address = process.env[BROWSER_AT]
  return address === undefined ? chromium.launch(options()) : chromium.connect(address)
}
