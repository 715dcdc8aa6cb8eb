import { section, type Section } from './catalogue.ts'

/** States and transitions. */
export const transitions: readonly Section[] = [
  section(
    'States and transitions',
    ['An active user group can be deactivated.', 'STATE-01', 'GROUP-16'],
    [
      'Clients that do not support deactivated groups then get a removal, other clients an update.',
      'GROUP-17',
      'GROUP-18',
    ],
    ['From 386 on, deactivated=false reactivates a deactivated group.', 'STATE-01', 'GROUP-16', 'LEVEL-25'],
    ['Passing deactivated=true does nothing.', 'STATE-01', 'GROUP-15'],
    [
      'A deactivated group can be renamed; from 340 on its other fields can be changed, from 391 on its members.',
      'STATE-01',
      'GROUP-20',
      'LEVEL-22',
    ],
    ['It cannot be mentioned until it is active again.', 'GROUP-35'],
    [
      'It cannot be given a permission or added to a group until it is active again.',
      'STATE-03',
      'GROUP-10',
      'GROUP-27',
    ],
    ['Its own permissions can be changed.', 'STATE-03', 'GROUP-20'],
    [
      'An administrator can archive an active channel folder with is_archived=true.',
      'STATE-01',
      'STATE-02',
      'FOLDER-07',
    ],
    [
      'An administrator can unarchive an archived folder with is_archived=false.',
      'STATE-01',
      'STATE-02',
      'FOLDER-07',
    ],
    [
      'A queue is deleted after ten minutes without activity; requests for its events then get BAD_EVENT_QUEUE_ID.',
      'STATE-01',
      'EVENT-07',
      'ERROR-01',
    ],
    ['A queue that is used does not expire.', 'STATE-01', 'EVENT-08'],
    ['A queue gets a heartbeat every minute.', 'STATE-05', 'EVENT-06'],
    [
      'A valid invitation expires after the specified minutes; with null it never does.',
      'STATE-01',
      'INVITE-04',
      'INVITE-05',
    ],
    ['The policy of a topic can change from any of the four values to any other.', 'STATE-01', 'TOPIC-05'],
    ['Policy 1 mutes a topic and 0 unmutes it.', 'STATE-04', 'NAR-22', 'TOPIC-05'],
    ['If the channel is not muted, the policy unmuted has no effect.', 'STATE-04'],
    ['Only 0, 1, 2 and 3 are valid policies.', 'TOPIC-05', 'TOPIC-06'],
    ['Topics can be followed since 219.', 'LEVEL-17', 'NAR-22'],
  ),
]
