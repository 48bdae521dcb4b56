// The Chromium of the browser tests: one for all files of a run, or one for a file that runs by itself.
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

/** Where the browser of the run is, in the environment of a test. */
export const BROWSER_AT = 'TEST_BROWSER'

export const serveBrowser = (): Promise<BrowserServer> => chromium.launchServer(options())

/** That of the run, with nothing of other files to be seen; otherwise an own one. */
export function openBrowser(): Promise<Browser> {
  const address = process.env[BROWSER_AT]
  return address === undefined ? chromium.launch(options()) : chromium.connect(address)
}
