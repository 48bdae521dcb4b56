import t from 'tap'
import { browserTest } from '../../support/browser/browser.ts'
import { isOfCustomer, walkPages } from './walk-pages.ts'

walkPages({ ...(await browserTest(t)), visits: isOfCustomer, pagesMin: 10, controlsMin: 10 })
