// What searches are asked with.
import { SEARCH_SIZE, SEARCH_SIZE_MAX } from '#shared/limits.ts'
import { closed, text, whole } from '../../schemas.ts'

const KEYWORD_MAX_CHARACTERS = 200

const size = { ...whole(1, SEARCH_SIZE_MAX, 'How many are told, at most.'), default: SEARCH_SIZE }

export const PointsQuery = closed({
  q: text(
    KEYWORD_MAX_CHARACTERS,
    'Part of the name, of a tag or of the slot path, in any case; after the name, host ID or uuid of a device or its beginning, in that device.',
    {
      minLength: 1
    }
  ),
  size
})

export const SearchQuery = closed({
  q: text(
    KEYWORD_MAX_CHARACTERS,
    "Part of the name, host ID or uuid; white space and case do not count. Each of several words may also be in the project or the name of the customer, one at least is in the device's own. Nothing matches a blank search, nor one with one of `* < > \" ' % ( ) & + / ^ | ? [ ] \\`.",
    { minLength: 1 }
  ),
  size
})
