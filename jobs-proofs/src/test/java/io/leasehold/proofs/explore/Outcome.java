package io.leasehold.proofs.explore;

import java.util.List;

/**
 * One order in which operations ran, and what came of it.
 *
 * @param start where the job was
 * @param order whose turn it was, and what happened then
 * @param answers of the operations
 * @param found at the end
 * @param grown whether each history that could be read was the beginning of the next
 */
record Outcome(Start start, List<String> order, List<Answer> answers, Found found, boolean grown) {

  Outcome {
    order = List.copyOf(order);
    answers = List.copyOf(answers);
  }

  boolean answered(String operation, String word) {
    return answers.stream().anyMatch(answer -> answer.is(operation, word));
  }

  boolean says(String word) {
    return answers.stream().anyMatch(answer -> answer.says(word));
  }

  long count(String operation, String word) {
    return answers.stream().filter(answer -> answer.is(operation, word)).count();
  }
}
