// Lets component tests wait longer than a second, for busy machines. Import it after dom.ts.
import { configure } from '@testing-library/react'

// The whole document, as the library prints it, hides the message.
configure({ asyncUtilTimeout: 60_000, getElementError: (message) => new Error(message?.split('\n')[0]) })
