#!/bin/sh
# A gate before a deployment: checks, waits for what mends itself, and refuses where agents are not well.
#
#   pre-deploy.sh [FLAGS AND TARGETS OF agentctl check]
#
# As a step of a CD pipeline, or for a repository whose push deploys as its .git/hooks/pre-push:
#
#   exec path/to/pre-deploy.sh -n shop </dev/null
#
# Ends with the exit code of the check: 0 is the only one to go on with.
set -u
: "${AGENTCTL_WAIT:=5m}"
export AGENTCTL_WAIT
code=0
agentctl check --show problems "$@" || code=$?
case $code in
  0) say='Go on: all selected agents are well' ;;
  1) say='Refused: a rule does not hold. Each finding says what to do; --accept FILE takes one for a while' ;;
  3) say='Refused: some pods could not be seen. See the warnings above; --max-unknown 1 allows one such pod' ;;
  4) say='Refused: nothing could be seen, or nothing was selected. Look at the login, the namespace and the selector' ;;
  130) say='Refused: interrupted' ;;
  *) say="Refused: the check itself did not work (exit code $code)" ;;
esac
echo "$say" >&2
exit "$code"
