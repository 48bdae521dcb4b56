// How long component tests wait for what shows by itself: the library gives up after a second, in which a busy machine may
// not get to run at all. To be imported behind dom.ts.
import { configure } from '@testing-library/react'

// The whole document, as the library prints it, hides the message.
configure({ asyncUtilTimeout: 60_000, getElementError: (message) => new Error(message?.split('\n')[0]) })
