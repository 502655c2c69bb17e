/* A program that does nothing: the baseline for startup.c. */
int main(void)
{
    return 0;
}
