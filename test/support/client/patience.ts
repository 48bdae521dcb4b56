// Lets component tests wait longer than a second, for busy machines. Import it after dom.ts.
import { configure } from '@testing-library/react'

// Drop the whole document that the library prints after the message.
configure({ asyncUtilTimeout: 60_000, getElementError: (message) => new Error(message?.split('\n')[0]) })
