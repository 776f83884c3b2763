/** What a grade means, by its number. */
export const gradeNames = ['Not relevant', 'Relevant', 'Very relevant', 'The best answer'];
