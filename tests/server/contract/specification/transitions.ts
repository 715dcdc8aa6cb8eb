import { section, type Section } from './catalogue.ts'

/** States and transitions. */
export const transitions: readonly Section[] = [
  section(
    'States and transitions',
    ['An active user group is deactivated.', 'STATE-01', 'GROUP-16'],
    [
      'Clients that do not know deactivated groups then hear that the group is removed, others of an update.',
      'GROUP-17',
      'GROUP-18',
    ],
    [
      'A deactivated group becomes active with deactivated=false, from 386 on.',
      'STATE-01',
      'GROUP-16',
      'LEVEL-25',
    ],
    ['Passing deactivated=true does nothing.', 'STATE-01', 'GROUP-15'],
    [
      'A deactivated group can be renamed, from 340 on changed in everything else, from 391 on in its members.',
      'STATE-01',
      'GROUP-20',
      'LEVEL-22',
    ],
    ['It cannot be mentioned until it is active.', 'GROUP-35'],
    [
      'It cannot hold a permission, nor be in a group, until it is active.',
      'STATE-03',
      'GROUP-10',
      'GROUP-27',
    ],
    ['Its own permissions can be changed.', 'STATE-03', 'GROUP-20'],
    [
      'An active channel folder is archived with is_archived=true, by an administrator.',
      'STATE-01',
      'STATE-02',
      'FOLDER-07',
    ],
    [
      'An archived folder becomes active with is_archived=false, by an administrator.',
      'STATE-01',
      'STATE-02',
      'FOLDER-07',
    ],
    [
      'A queue is collected after ten minutes without activity; who asks then gets BAD_EVENT_QUEUE_ID.',
      'STATE-01',
      'EVENT-07',
      'ERROR-01',
    ],
    ['A queue that is used lives on.', 'STATE-01', 'EVENT-08'],
    ['A queue hears a heartbeat each minute.', 'STATE-05', 'EVENT-06'],
    ['A valid invitation expires after its minutes; null is never.', 'STATE-01', 'INVITE-04', 'INVITE-05'],
    [
      'The policy of a topic becomes the one that was asked for, from any of the four to any.',
      'STATE-01',
      'TOPIC-05',
    ],
    ['Policy 1 mutes a topic and 0 takes that back.', 'STATE-04', 'NAR-22', 'TOPIC-05'],
    ['Where the channel is not muted, unmuted is the same as nothing.', 'STATE-04'],
    ['The policies are 0, 1, 2 and 3, and no other.', 'TOPIC-05', 'TOPIC-06'],
    ['Topics can be followed since 219.', 'LEVEL-17', 'NAR-22'],
  ),
]
